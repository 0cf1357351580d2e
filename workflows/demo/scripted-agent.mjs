// A program worker without a model behind it: reads the context as JSON on standard input, answers with JSON on
// standard output. Its first attempt is wrong; it corrects itself only from what the test log says.
import { setTimeout as pause } from 'node:timers/promises';

const FILE = 'slugify.mjs';
const THINKING_MS = 350;
const stubborn = process.argv.includes('--stubborn');

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
const { execution_payload: payload, system_metadata: metadata } = JSON.parse(input);

const guidance = payload.find((segment) => segment.type === 'HUMAN_GUIDANCE');
const log = payload.findLast(
  (segment) => segment.type === 'TEST_RESULT' && segment.outcome === 'FAIL',
)?.content;
const attempts = payload.filter((segment) => segment.type === 'CODE_OUTPUT').length;

const answer = metadata.block_id.endsWith('GenerateDocs') ? await describe() : await write();
process.stdout.write(JSON.stringify(answer));

async function write() {
  const steps = await chooseSteps();
  const body = ['text', '.toLowerCase()', ...steps].join('\n    ');
  const fileContent = `export function slugify(text) {\n  return ${body};\n}\n`;
  return { segments: [{ type: 'CODE_OUTPUT', content: { filePath: FILE, fileContent } }] };
}

async function chooseSteps() {
  const accents = [".normalize('NFD')", String.raw`.replace(/\p{M}/gu, '')`];
  const dashes = ".replace(/[^a-z0-9]+/g, '-')";
  const ends = ".replace(/^-|-$/g, '')";
  if (guidance) {
    await think(`a person says: ${guidance.content}`);
    return [...accents, dashes, ends];
  }
  if (log === undefined) {
    await think('first attempt: everything that is not a letter becomes a dash');
    return [dashes];
  }
  if (stubborn) {
    await think('the tests fail; trying another separator');
    return [".replace(/[^a-z0-9]+/g, '" + '_'.repeat(attempts) + "')"];
  }
  const wrong = /'(cr-me[^']*)'/.exec(log)?.[1];
  await think(
    wrong ? `the test log shows '${wrong}': the accents were lost` : 'the test log shows a failure',
  );
  return wrong ? [...accents, dashes, ends] : [dashes];
}

async function describe() {
  await think('writing the summary');
  const content =
    'slugify now takes accents off letters before it replaces the rest by dashes, and trims the ends.';
  return { segments: [{ type: 'SUMMARY', content }] };
}

/** Standard error is live output: it is shown, not stored. */
async function think(text) {
  process.stderr.write(`${text}\n`);
  await pause(THINKING_MS);
}
