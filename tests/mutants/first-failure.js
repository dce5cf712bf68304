/** A Jest reporter that ends the run at the first test that fails. `--bail` waits for the end of the suite. */
export default class FirstFailure {
  /**
   * @param {object} _ the suite
   * @param {{ status: string }} result of one test
   */
  onTestCaseResult(_, { status }) {
    if (status === 'failed') process.exit(1);
  }
}
