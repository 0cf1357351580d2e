// Asks the same question as often as the first argument says, one line of input each, and tells the answers.
//   --menu   paints it as the agent CLIs do: over the old lines, a pointer at the first choice, a key picks one
//   --then-quiet   after the last answer it prints something and does not end
import { setTimeout as sleep } from 'node:timers/promises';

const [, , times = '1', ...options] = process.argv;
const menu = options.includes('--menu');
const ESC = '\u001b';
const keys = [];
let wake = () => {};
process.stdin.setEncoding('utf8');
if (menu) process.stdin.setRawMode(true);
process.stdin.on('data', (text) => {
  keys.push(...(menu ? text : (text.match(/[^\n]*\n/g) ?? [])));
  wake();
});

async function read() {
  while (keys.length === 0) await new Promise((resolve) => (wake = resolve));
  return keys.shift().trimEnd();
}

function paint() {
  const lines = [
    `${ESC}[1mDo you want to create ${ESC}[36mw.txt${ESC}[0m?`,
    `${ESC}[34m❯ 1. Yes${ESC}[0m`,
    '  2. No',
  ];
  for (const line of lines) process.stdout.write(`${ESC}[2K${line}\r\n`);
}

for (let i = 0; i < Number(times); i++) {
  if (menu) {
    paint();
    // A cursor that blinks, a clock that ticks: the question still stands.
    for (let again = 0; again < 3; again++) {
      await sleep(5);
      process.stdout.write(`${ESC}[3A`);
      paint();
    }
  } else process.stdout.write('Overwrite w.txt? [y/N] ');
  const answer = await read();
  if (menu) process.stdout.write(`${ESC}[3A${ESC}[J`);
  process.stdout.write(`answer ${i + 1}: ${answer}\n`);
}
if (options.includes('--then-quiet')) process.stdout.write('thinking\n');
else process.exit(0);
