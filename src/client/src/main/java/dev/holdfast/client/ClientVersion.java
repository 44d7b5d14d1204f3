package dev.holdfast.client;

/** Names this SDK to gateways. */
final class ClientVersion {
  static final String AGENT = "holdfast-java/" + version();

  private ClientVersion() {}

  private static String version() {
    String packaged = ClientVersion.class.getPackage().getImplementationVersion();
    return packaged == null ? "unpackaged" : packaged;
  }
}
