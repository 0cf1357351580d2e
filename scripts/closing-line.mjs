// Ends the test output with a line that any tool can read: "N passed, N failed".
export default class ClosingLine {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state in count) count[state] += 1;
      }
      // A file that cannot even be loaded has no tests, and is a failure all the same.
      if (module.errors().length > 0) count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    process.on('exit', () => console.log(`${count.passed} passed, ${count.failed} failed${skipped}`));
  }
}
