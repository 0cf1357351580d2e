const [ESC, CSI, BEL] = [0x1b, 0x9b, 0x07].map((code) => String.fromCodePoint(code));

/** CSI and OSC sequences, and the short ones. */
const SEQUENCE = new RegExp(
  `[${ESC}${CSI}](?:\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[[()#;?]*(?:\\d{1,4}(?:[;:]\\d{0,4})*)?[\\d<=>@-Z\\\\^-~])`,
  'g',
);

/** Stands in for the one function of Node that the words shared with the command line use. */
export function stripVTControlCharacters(text: string): string {
  return text.replaceAll(SEQUENCE, '');
}
