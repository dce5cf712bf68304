/**
 * Jest's environment for Node with plain globals. Jest's own context asks a proxy for each read of a global, which
 * took half of the time of suites whose oracles loop (tests/tensor/print 42 s, 24 without it).
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} args */
  constructor(...args) {
    const { createContext } = vm;
    // The base class makes its context within its constructor, and takes no other.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }
}
