/** What one step adds to the history, the same on every side: a short test log, or only its first line. */
export function noteOf(step, size = 1024) {
  const line = `step ${step}: expected 4 to equal 5 at src/sum.test.ts:${step}\n`;
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}
