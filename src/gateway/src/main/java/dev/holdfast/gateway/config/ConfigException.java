package dev.holdfast.gateway.config;

/** The configuration is wrong; the message names the key, its value and what to do. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }

  /** Returns the message, which is never null. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
