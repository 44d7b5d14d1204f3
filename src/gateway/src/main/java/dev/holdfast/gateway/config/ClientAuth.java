package dev.holdfast.gateway.config;

import java.util.Locale;

/** Whether clients of the gRPC port must show a certificate. */
public enum ClientAuth {
  NONE,
  OPTIONAL,
  REQUIRED;

  static ClientAuth parse(String text) {
    for (ClientAuth value : values()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
        return value;
      }
    }
    throw new IllegalArgumentException("it is none of these");
  }
}
