using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "workerd.bundle.js"),
    (name = "layout.wasm", wasm = embed "layout.wasm"),
    (name = "image.wasm", wasm = embed "image.wasm"),
    (name = "audio.wasm", wasm = embed "audio.wasm"),
    (name = "postprocess.wasm", wasm = embed "postprocess.wasm"),
  ],
  compatibilityDate = "2026-11-01",
);
