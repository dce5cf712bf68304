/**
 * The floors of js/. A room imports from the floors below its own, and another room by its door alone.
 * tests/architecture/js-floors.test.js holds js/ against this table. A new room gets its place here. The rooms of
 * js/engines are rooms like any other: engines has no door of its own, behind which a page would load all modules.
 */
export const floors = [
  ['arguments'],
  ['tensor', 'engines/loading', 'engines/memory'],
  ['engines/tensors', 'engines/audio', 'engines/results'],
  ['engines/images'],
  ['operators', 'image', 'audio'],
  ['weights'],
  ['io', 'processors', 'postprocess'],
  ['convert', 'transformers'],
  ['node'],
  ['cli'],
];

/**
 * A room may not reach the floors above it, its neighbors, and the public door, which stands above all rooms but
 * `cli`.
 */
const climbing = floors.flatMap((floor, height) =>
  floor.map((room) => {
    const others = floor.filter((neighbor) => neighbor !== room);
    const above = [...others, ...floors.slice(height + 1).flat()];
    return {
      name: 'up',
      comment: `js/${room} imports from the floors below it`,
      severity: 'error',
      from: { path: `^js/${room}/` },
      to: { path: [...above.map((name) => `^js/${name}/`), ...(room === 'cli' ? [] : ['^js/index\\.js$'])] },
    };
  }),
);

const forbidden = [
  ...climbing.filter(({ to }) => to.path.length > 0),
  {
    name: 'circle',
    comment: 'no file imports itself by way of others; types.ts may name the classes of its room',
    severity: 'error',
    from: { path: '^js/' },
    to: { circular: true, viaOnly: { pathNot: '/types\\.ts$' } },
  },
  {
    name: 'past the door',
    comment:
      "another room's files are reached by its index.js, its types by its types.ts; pictures, files, operators and " +
      'processors have an inner door too, and configurations one that tensors do not load',
    severity: 'error',
    from: { path: '^js/((?:engines/)?[^/]+)' },
    to: {
      path: '^js/[^/]+/',
      pathNot: [
        '^js/$1/',
        '^js/(engines/)?[^/]+/(index\\.js|types\\.ts)$',
        '^js/(image|io|operators|processors)/internal\\.js$',
        '^js/arguments/configurations/index\\.js$',
      ],
    },
  },
  {
    name: 'past the inner door',
    comment: 'operators reach the parts that they share by the door of core',
    severity: 'error',
    from: { path: '^js/operators/', pathNot: '^js/operators/core/' },
    to: { path: '^js/operators/core/', pathNot: '/core/index\\.js$' },
  },
  {
    name: 'past the inner door',
    comment: 'processors reach settings, pictures and steps by their doors; types follow from the table of settings',
    severity: 'error',
    from: { path: '^js/processors/([^/]+)', pathNot: '^js/processors/(option-)?types\\.ts$' },
    to: { path: '^js/processors/(settings|pictures|steps)/', pathNot: ['^js/processors/$1/', '/index\\.js$'] },
  },
  {
    name: 'past the public door',
    comment: 'the program uses what the package exports, as any other user; and the words for an unknown name',
    severity: 'error',
    from: { path: '^js/cli/' },
    to: {
      path: '^js/',
      pathNot: [
        '^js/cli/',
        '^js/index\\.js$',
        '^js/(audio|convert|image|io|node|postprocess|processors)/index\\.js$',
        '^js/arguments/index\\.js$',
      ],
    },
  },
  {
    name: 'wasm outside the engines',
    comment: 'the rooms of js/engines alone see the wasm modules, their structs and addresses',
    severity: 'error',
    from: { path: '^js/', pathNot: '^js/engines/' },
    to: { path: '^dist/(bridge/|(layout|image|((image|audio|postprocess)-)?wasm)\\.)' },
  },
  {
    name: 'dependency',
    comment: "the package needs no other one; only the program and the entry point for Node may use Node's modules",
    severity: 'error',
    from: { path: '^js/', pathNot: '^js/(cli|node)/' },
    to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg'] },
  },
  {
    name: 'missing',
    comment: 'a file that is imported exists',
    severity: 'error',
    from: { path: '^js/' },
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden,
  options: {
    // Types that a docblock imports stand on the same floors as values.
    detectJSDocImports: true,
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['^dist/', 'node_modules'] },
    moduleSystems: ['es6'],
  },
};
