using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "workerd.bundle.js"),
    (name = "onnx-layout/image.wasm", wasm = embed "node_modules/onnx-layout/dist/image.wasm"),
    (name = "onnx-layout/audio.wasm", wasm = embed "node_modules/onnx-layout/dist/audio.wasm"),
    (name = "onnx-layout/postprocess.wasm", wasm = embed "node_modules/onnx-layout/dist/postprocess.wasm"),
  ],
  compatibilityDate = "2026-11-01",
);
