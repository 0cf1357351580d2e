/** CSI and OSC sequences, and the short ones. */
// oxlint-disable-next-line no-control-regex -- that is how a sequence begins
const SEQUENCE =
  /[\u001b\u009b](?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[[()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\d<=>@-Z\\^-~])/g;

/** Stands in for the one function of Node that the words shared with the command line use. */
export function stripVTControlCharacters(text: string): string {
  return text.replaceAll(SEQUENCE, '');
}
