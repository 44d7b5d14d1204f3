package dev.holdfast.cli;

import jakarta.json.JsonObject;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the gateways of the cluster. */
@Command(name = "gateways", header = "Lists the gateways of the cluster; * marks the asked one.")
final class GatewaysCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Override
  public Integer call() {
    JsonObject answer = admin.open().gateways();
    Answer out = new Answer(spec, answer);
    if (admin.output() == OutputFormat.json) {
      out.printJson();
      return ExitCode.OK;
    }
    Table table =
        new Table("GATEWAY", "STATE", "CONNECTIONS", "GRPC", "VERSION", "STARTED", "EPOCH");
    for (JsonObject one : answer.getJsonArray("gateways").getValuesAs(JsonObject.class)) {
      table.row(
          Answer.text(one, "gateway_id") + (one.getBoolean("self", false) ? " *" : ""),
          Answer.text(one, "state"),
          Answer.text(one, "connections"),
          Answer.text(one, "grpc_address"),
          Answer.text(one, "version"),
          Answer.text(one, "started_at"),
          Answer.text(one, "epoch"));
    }
    table.print(out.writer());
    return ExitCode.OK;
  }
}
