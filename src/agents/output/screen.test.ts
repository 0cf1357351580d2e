import { describe, expect, it } from 'vitest';
import { QueryScan } from './query-scan.ts';
import { Screen } from './screen.ts';

const ESC = '\u001b';
const size = { columns: 20, rows: 5 };

function screenWith(...pieces: string[]): Screen {
  const screen = new Screen(size);
  for (const piece of pieces) screen.push(piece);
  return screen;
}

describe('a rendered screen', () => {
  it('shows what a person would see: overwritten, moved, erased, scrolled', async () => {
    const screen = screenWith('one\r\ntwo\r\n', `${ESC}[1A${ESC}[2Kzwei\r\n`, `${ESC}[4;3Hhere`);
    await expect(screen.text()).resolves.toBe('one\nzwei\n\n  here');
    screen.push('\r\n\r\nlast');
    await expect(screen.text()).resolves.toBe('zwei\n\n  here\n\nlast');
  });

  it('continues where it was, also with a sequence cut between two looks', async () => {
    const screen = screenWith(`a${ESC}[3`);
    await screen.text();
    screen.push('1mb');
    await expect(screen.text()).resolves.toBe('ab');
  });

  it('renders only the end of a flood', async () => {
    const screen = screenWith('old\r\n');
    await screen.text();
    for (let i = 0; i < 300; i++) screen.push(`${'x'.repeat(18)}\r\n`.repeat(100));
    screen.push(`${ESC}[2J${ESC}[Hnew`);
    await expect(screen.text()).resolves.toBe('new');
  });

  it('blanked shows only what is painted later, where it belongs', async () => {
    const screen = screenWith('question?\r\n');
    screen.blank();
    await expect(screen.text()).resolves.toBe('');
    screen.push('later');
    await expect(screen.text()).resolves.toBe('\nlater');
  });

  it('has the size it is given', async () => {
    const screen = screenWith('x'.repeat(20), 'y');
    await expect(screen.text()).resolves.toBe(`${'x'.repeat(20)}\ny`);
    screen.resize({ columns: 30, rows: 3 });
    screen.push(`${ESC}[2J${ESC}[H${'z'.repeat(30)}`);
    await expect(screen.text()).resolves.toBe('z'.repeat(30));
  });

  it('repaints another terminal to look the same', async () => {
    const painted = [
      `${ESC}[?1049h${ESC}[?2004h${ESC}[1;31mRed${ESC}[0m und ${ESC}[38;2;1;2;3;44mbunt${ESC}[0m`,
      `${ESC}[2;5H表 wide${ESC}[3;1H${'f'.repeat(20)}${ESC}[4;1H${ESC}[7m  inverse  ${ESC}[0m${ESC}[2;3H`,
    ];
    const screen = screenWith(...painted);
    const copy = screenWith(await screen.repaint());
    await expect(copy.text()).resolves.toBe(await screen.text());
    await expect(copy.repaint()).resolves.toBe(await screen.repaint());
    expect(await screen.repaint()).toContain(`${ESC}[?1049h`);
    expect(await screen.repaint()).toContain(`${ESC}[?2004h`);
  });
});

describe('questions to the terminal', () => {
  it.each([`${ESC}[6n`, `${ESC}[c`, `${ESC}[>0c`, `${ESC}[?2026$p`, `${ESC}]11;?${ESC}\\`, `${ESC}[?u`])(
    '%j is seen, wherever it is cut',
    (query) => {
      for (let cut = 0; cut <= query.length; cut++) {
        const scan = new QueryScan();
        const seen = [scan.push(`text${query.slice(0, cut)}`), scan.push(`${query.slice(cut)}text`)];
        expect(seen.filter(Boolean)).toHaveLength(1);
      }
    },
  );

  it('are not colours or movements', () => {
    const scan = new QueryScan();
    expect(scan.push(`${ESC}[31m${ESC}[2J${ESC}[5;6H${ESC}]0;title\u0007 6n c`)).toBe(false);
  });

  it('are replied to as a terminal does', async () => {
    await expect(screenWith(`abc${ESC}[6n`).replies()).resolves.toBe(`${ESC}[1;4R`);
    const screen = screenWith(`${ESC}[c`);
    await screen.text();
    await expect(screen.replies()).resolves.toBe('');
  });
});
