import type { IBufferCell, Terminal } from '@xterm/headless';

const CSI = '\u001b[';

/** What makes another terminal of the same size look the same, with the modes that the program has switched on. */
export function repaint(terminal: Terminal): string {
  const { active } = terminal.buffer;
  const screen = active.type === 'alternate' ? `${CSI}?1049h` : '';
  const lines = Array.from({ length: terminal.rows }, (_, row) => paintLine(terminal, active.baseY + row));
  const cursor = `${CSI}${active.cursorY + 1};${active.cursorX + 1}H`;
  return `${screen}${CSI}0m${CSI}2J${CSI}H${lines.join(`${CSI}0m\r\n`)}${CSI}0m${modes(terminal)}${cursor}`;
}

function paintLine(terminal: Terminal, y: number): string {
  const line = terminal.buffer.active.getLine(y);
  if (!line) return '';
  let painted = '';
  let style = '';
  let blanks = '';
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line.getCell(x);
    // The second half of a wide character has no width of its own.
    if (!cell || cell.getWidth() === 0) continue;
    const wanted = styleOf(cell);
    const chars = cell.getChars() || ' ';
    if (chars === ' ' && wanted === '') {
      blanks += ' ';
      continue;
    }
    // Blanks are written only where something follows: a full line would make the terminal wrap.
    if (blanks !== '') painted += (style === '' ? '' : `${CSI}0m`) + blanks;
    if (blanks !== '') style = '';
    blanks = '';
    if (wanted !== style) painted += `${CSI}0${wanted}m`;
    style = wanted;
    painted += chars;
  }
  return painted;
}

/** As parameters behind a reset, so that no style depends on the one before. */
function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return '';
  const flags: [number, string][] = [
    [cell.isBold(), ';1'],
    [cell.isDim(), ';2'],
    [cell.isItalic(), ';3'],
    [cell.isUnderline(), ';4'],
    [cell.isBlink(), ';5'],
    [cell.isInverse(), ';7'],
    [cell.isInvisible(), ';8'],
    [cell.isStrikethrough(), ';9'],
  ];
  const set = flags.map(([on, parameter]) => (on ? parameter : '')).join('');
  const foreground = colour('38', cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette());
  return set + foreground + colour('48', cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette());
}

function colour(role: '38' | '48', value: number, isRgb: boolean, isPalette: boolean): string {
  if (isRgb) return `;${role};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  return isPalette ? `;${role};5;${value}` : '';
}

const MOUSE = { none: '', x10: '9', vt200: '1000', drag: '1002', any: '1003' };

function modes({ modes: on }: Terminal): string {
  const set = [
    on.applicationCursorKeysMode ? '1' : '',
    on.bracketedPasteMode ? '2004' : '',
    on.sendFocusMode ? '1004' : '',
    MOUSE[on.mouseTrackingMode],
  ];
  return (
    set.map((mode) => (mode === '' ? '' : `${CSI}?${mode}h`)).join('') +
    (on.applicationKeypadMode ? '\u001b=' : '')
  );
}
