// Prints JSON lines as an agent with a structured stream does: a session, a question that it waits on, what came of it,
// usage and a result. `--silent-question` asks and never ends by itself; `--serve` waits for the end of its input.
import { createInterface } from 'node:readline';

const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
say({ type: 'session', id: 's1' });
process.stderr.write('{"type":"text","text":"from stderr"}\nnot json\n');
say({ type: 'asked', id: 'q1', question: 'May I?', choices: ['yes', 'no'] });
const { value: answer } = await lines.next();
say({ type: 'text', text: `heard ${answer}` });
say({ type: 'usage', tokens: { input: 3, cached: 1, output: 2 }, estimated: false });
say({ type: 'result', ok: true, text: 'done' });
if (process.argv.includes('--serve')) for await (const _ of lines);
process.exit(0);
