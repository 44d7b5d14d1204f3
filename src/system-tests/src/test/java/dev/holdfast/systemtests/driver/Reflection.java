package dev.holdfast.systemtests.driver;

import io.grpc.Channel;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks a gateway which gRPC services it has. */
public final class Reflection {
  private Reflection() {}

  /** Returns the full names of the services. */
  public static List<String> services(Channel channel) {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel).serverReflectionInfo(new Observer(answer));
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    List<String> services = answer.orTimeout(30, TimeUnit.SECONDS).join();
    requests.onCompleted();
    return services;
  }

  private record Observer(CompletableFuture<List<String>> answer)
      implements StreamObserver<ServerReflectionResponse> {
    @Override
    public void onNext(ServerReflectionResponse response) {
      answer.complete(
          response.getListServicesResponse().getServiceList().stream()
              .map(ServiceResponse::getName)
              .toList());
    }

    @Override
    public void onError(Throwable failure) {
      answer.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      // The answer has come before.
    }
  }
}
