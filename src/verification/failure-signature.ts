import { createHash } from 'node:crypto';
export function failureSignature(signal: string, texts: readonly string[]): string {
  return createHash('sha256')
    .update([signal, ...texts].join('\0').replaceAll(/\d+/g, '#'))
    .digest('hex')
    .slice(0, 16);
}
