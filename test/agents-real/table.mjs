import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A vitest reporter: what was tested with which CLI, how long it took, and what the CLI counted of the tokens that the
 * model server served. The same is written as JSON for whoever reads it later.
 */
export default class Table {
  onTestRunEnd(modules) {
    const results = resultsOf(modules.flatMap((module) => [...module.children.allTests()]));
    const clis = JSON.parse(process.env.LOOPWRIGHT_TEST_CLIS ?? '{"versions":{}}').versions;
    process.stdout.write(`\n${tableOf(results, Object.keys(clis))}\n`);
    const file = process.env.LOOPWRIGHT_AGENTS_TABLE;
    if (!file) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ clis, scenarios: results }, undefined, 2)}\n`);
    process.stdout.write(`\nThe same as JSON: ${file}\n\n`);
  }
}

/** Scenario to CLI to what came of it. */
export function resultsOf(tests) {
  const results = {};
  for (const test of tests) {
    const cli = test.parent.type === 'suite' ? test.parent.name : '';
    const { counted, served } = test.meta();
    results[test.name] ??= {};
    results[test.name][cli] = {
      state: test.result().state,
      ms: Math.round(test.diagnostic()?.duration ?? 0),
      ...(served === undefined ? {} : { counted, served }),
    };
  }
  return results;
}

/** Only the CLIs that were asked for have a column, and those that stand in no column of their own a row at the end. */
export function tableOf(results, clis) {
  const rows = Object.entries(results);
  const tested = clis.filter((cli) => rows.some(([, row]) => row[cli]));
  const alone = rows.filter(([, row]) => !tested.some((cli) => row[cli]));
  const columns = rows.filter((row) => !alone.includes(row));
  return [
    '',
    ...grid(['', ...tested], columns, (row) => tested.map((cli) => outcome(row[cli]))),
    ...alone.map(([name, row]) => `${name}: ${Object.values(row).map(outcome).join(', ')}`),
    '',
    'Tokens counted of tokens served, input and output together; a terminal tells none:',
    '',
    ...grid(
      ['', ...tested],
      columns.filter(([, row]) => Object.values(row).some(({ served }) => served > 0)),
      (row) => tested.map((cli) => tokens(row[cli])),
    ),
  ].join('\n');
}

function grid(head, rows, cellsOf) {
  const lines = [head, ...rows.map(([name, row]) => [name, ...cellsOf(row)])];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at].length)) + 2);
  return lines.map((line) =>
    line
      .map((text, at) => text.padEnd(widths[at]))
      .join('')
      .trimEnd(),
  );
}

function outcome(result) {
  if (!result) return '-';
  if (result.state !== 'passed' && result.state !== 'failed') return result.state;
  return `${result.state === 'passed' ? 'ok' : 'FAIL'} ${(result.ms / 1000).toFixed(1)} s`;
}

function tokens(result) {
  return result?.served === undefined ? '-' : `${result.counted}/${result.served}`;
}
