// Emscripten's own library for embind, without strings and overloads: no binding takes or gives a string, and no two
// share a name. The functions that read and write UTF-8, UTF-16 and UTF-32 are a quarter of the glue.
/* global mergeInto, LibraryManager, Module */
/* eslint object-shorthand: "off" -- Emscripten 3.1.6 pastes the text of a method as it is */
mergeInto(LibraryManager.library, {
  _embind_register_std_string: function () {},
  _embind_register_std_wstring: function () {},
  $exposePublicSymbol: function (name, value) {
    Module[name] = value;
  },
  $replacePublicSymbol: function (name, value) {
    Module[name] = value;
  },
});
