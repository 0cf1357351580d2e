const CLIS = ['claude', 'codex', 'gemini', 'opencode'];
const WIDTH = 12;

/** A vitest reporter: what was tested with which CLI, and how long it took. */
export default class Table {
  onTestRunEnd(modules) {
    const cells = new Map();
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const cli = test.parent.type === 'suite' ? test.parent.name : '';
      const row = cells.get(test.name) ?? new Map();
      cells.set(test.name, row.set(cli, cell(test)));
    }
    const first = Math.max(0, ...[...cells.keys()].map((name) => name.length)) + 2;
    const line = (name, texts) =>
      name.padEnd(first) +
      texts
        .map((text) => text.padEnd(WIDTH))
        .join('')
        .trimEnd();
    const lines = [
      line('', CLIS),
      ...[...cells].map(([name, row]) =>
        line(
          name,
          CLIS.map((cli) => row.get(cli) ?? '-'),
        ),
      ),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n\n`);
  }
}

function cell(test) {
  const { state } = test.result();
  if (state !== 'passed' && state !== 'failed') return state;
  const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
  return `${state === 'passed' ? 'ok' : 'FAIL'} ${seconds} s`;
}
