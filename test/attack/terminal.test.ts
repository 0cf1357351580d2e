import { describe, expect, it } from 'vitest';
import { visible, visibleLine } from '../../src/kernel/visible.ts';
import { plain } from '../../src/kernel/words.ts';
import { start, write } from '../cli/support.ts';
import { repository } from '../cli/workspace-support.ts';

const BIDI = '\u202e';
const CSI = '\u001b[2J';
const C1 = '\u009b2J';
const CLIPBOARD = '\u001b]52;c;ZXZpbA==\u0007';
const LINK = '\u001b]8;;https://evil.example\u001b\\safe\u001b]8;;\u001b\\';
const EVIL = `a${BIDI}b${CSI}c${C1}d${CLIPBOARD}e${LINK}\u0008f`;
/** Whatever a terminal would obey: none of it may be in what is printed. */
const OBEYED = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const WORKFLOW = {
  nodes: {
    Main: {
      entry_block: 'Act',
      blocks: {
        Act: {
          worker: 'Internal:Command',
          with: { argv: ['node', 'act.mjs'] },
          transitions: [
            { on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Ask' },
            { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
          ],
        },
        Ask: {
          worker: 'Internal:AskHuman',
          with: { question: `Delete ${EVIL}?`, choices: ['yes', 'no'] },
          transitions: [
            { on_signal: 'SIGNAL:YES', action: 'RETURN' },
            { on_signal: 'SIGNAL:NO', action: 'RETURN' },
          ],
        },
      },
    },
  },
};

/** A step that prints, and writes into a file and its name, what a terminal obeys; then a question with it. */
async function evilRun() {
  const act = `import { writeFileSync } from 'node:fs';
    const evil = ${JSON.stringify(EVIL)};
    console.log(evil);
    writeFileSync('name-' + ${JSON.stringify(BIDI)} + '\\u009b2J.txt', evil + '\\n');
    writeFileSync('plain.txt', evil + '\\n');`;
  const cwd = repository({ 'w.json': WORKFLOW, 'act.mjs': act });
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await start(args, { cwd }).ended;
    return stdout + stderr;
  };
  const run = await said('run', '-w', 'w.json', `goal ${EVIL}`);
  const listed = JSON.parse(await said('sessions', '--json')) as { sessions: { id: string }[] };
  return { said, run, id: listed.sessions[0]?.id ?? '' };
}

describe('what others wrote, on a terminal', () => {
  it('is shown and not obeyed by run, show, logs, diff, its file names, questions and errors', async () => {
    const { said, run, id } = await evilRun();
    const pages = {
      run,
      sessions: await said('sessions'),
      show: await said('show', id),
      logs: await said('logs', id),
      diff: await said('diff', id),
      stat: await said('diff', id, '--stat'),
      timeline: await said('timeline', id),
      wrong: await said('show', EVIL),
    };
    for (const [page, text] of Object.entries(pages))
      expect([page, OBEYED.exec(text)?.[0]]).toEqual([page, undefined]);
    expect(pages.diff).toContain(String.raw`\u202e`);
    expect(pages.diff).toContain(String.raw`\u009b2J`);
    expect(pages.stat).toMatch(/name-.*202e|342.200/);
  });

  it('stays what it is in --json, as escapes', async () => {
    const { said, id } = await evilRun();
    const text = await said('diff', id, '--json');
    expect(OBEYED.exec(text)?.[0]).toBeUndefined();
    expect((JSON.parse(text) as { text: string }).text).toContain(`a${BIDI}b${CSI}c${C1}d${CLIPBOARD}`);
  });

  it('titles of tasks and their notes are shown as text', async () => {
    const cwd = repository();
    write(cwd, { 'plan.json': [{ title: `t${BIDI}x`, goal: EVIL, notes: EVIL }] });
    const said = async (...args: string[]) => {
      const { stdout, stderr } = await start(args, { cwd }).ended;
      return stdout + stderr;
    };
    const all = [
      await said('task', 'import', 'plan.json'),
      await said('task', 'list'),
      await said('board'),
      await said('task', 'show', `t${BIDI}x`),
    ];
    expect(OBEYED.exec(all.join('\n'))?.[0]).toBeUndefined();
    expect(all.join('\n')).toContain(String.raw`t\u202ex`);
  });
});

describe('text that is shown', () => {
  it('keeps letters, pictures, line ends and our own colours', () => {
    const text = 'grüße 🇩🇪 👩‍💻 日本\tעברית\n';
    expect(visible(text)).toBe(text);
    expect(visibleLine(`\u001b[31mred\u001b[39m ${text}`)).toBe(`\u001b[31mred\u001b[39m ${text}`);
    // Hidden, blinking and foreign sequences are nobody's paint here.
    expect(visibleLine('\u001b[8mhidden\u001b[31mred')).toBe('\\u001b[8mhidden\u001b[31mred');
  });

  it('loses whole sequences where words are wanted, and shows what is left', () => {
    expect(plain(`x${CSI}y${LINK}${BIDI}\r\n`)).toBe('xysafe\\u202e\n');
  });
});
