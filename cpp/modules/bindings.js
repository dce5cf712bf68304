// Emscripten's own library for embind, without what no binding needs. None takes or gives a string: the functions that
// read and write UTF-8, UTF-16 and UTF-32 are a quarter of the glue. No two share a name, none takes 64-bit integers,
// all types are bound, and no number is read from memory. Arguments are numbers and flags, which WebAssembly converts.
/* global mergeInto, LibraryManager, Module, registeredTypes, wasmTable */
/* eslint object-shorthand: "off" -- Emscripten 3.1.6 pastes the text of a method as it is */
mergeInto(LibraryManager.library, {
  _embind_register_std_string: function () {},
  _embind_register_std_wstring: function () {},
  $extendError: function (baseErrorType) {
    return baseErrorType;
  },
  $getShiftFromSize: function () {},
  $integerReadValueFromPointer: function () {},
  $floatReadValueFromPointer: function () {},
  $init_emval__deps: [],
  $init_emval: function () {},
  $embind__requireFunction__deps: [],
  $embind__requireFunction: function (signature, rawFunction) {
    return wasmTable.get(rawFunction);
  },
  $requireRegisteredType__deps: ['$registeredTypes'],
  $requireRegisteredType: function (rawType) {
    return registeredTypes[rawType];
  },
  $throwUnboundTypeError__deps: [],
  $throwUnboundTypeError: function (message) {
    throw new TypeError(message);
  },
  $craftInvokerFunction__deps: [],
  $craftInvokerFunction: function (name, types, classType, invoker, target) {
    return function (...values) {
      return types[0].fromWireType(invoker(target, ...values));
    };
  },
  $exposePublicSymbol: function (name, value) {
    Module[name] = value;
  },
  $replacePublicSymbol: function (name, value) {
    Module[name] = value;
  },
});
