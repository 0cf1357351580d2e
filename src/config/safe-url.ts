import * as z from 'zod';

/** What is sent leaves the machine only where nobody on the way can read or change it. */
function urlProblem(written: string): string | undefined {
  if (!URL.canParse(written)) return 'is not an address';
  const { protocol, hostname } = new URL(written);
  if (protocol === 'https:') return undefined;
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === 'http:' && isLoopback ? undefined : 'must be https, or http on this machine';
}

/** `https`, or `http` on this machine. */
export const safeUrl = z.string().check((context) => {
  const problem = urlProblem(context.value);
  if (problem !== undefined) context.issues.push({ code: 'custom', input: context.value, message: problem });
});

export function isSafeUrl(written: string): boolean {
  return urlProblem(written) === undefined;
}
