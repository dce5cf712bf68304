// Emscripten's own library for embind, without strings: no binding takes or gives one, and the functions that read
// and write UTF-8, UTF-16 and UTF-32 are a quarter of the glue.
/* global mergeInto, LibraryManager */
/* eslint object-shorthand: "off" -- Emscripten 3.1.6 pastes the text of a method as it is */
mergeInto(LibraryManager.library, {
  _embind_register_std_string: function () {},
  _embind_register_std_wstring: function () {},
});
