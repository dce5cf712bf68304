/**
 * Leaves stacks to the engine, ten lines of each. Jest copies every line to map it to a source, and no file here is
 * transpiled. Most of the time of a refused call goes there, because a message gets its name within the stack.
 */
Error.stackTraceLimit = 10;
Error.prepareStackTrace = (error, lines) => [error, ...lines].join('\n    at ');
