const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Container {
  readonly kind: '{' | '[';
  step: string | number;
  expectsKey: boolean;
}

/** The line, from 1, on which a field of a JSON text stands: its key, or the entry of a list. */
export function fieldLine(json: string, path: readonly PropertyKey[]): number | undefined {
  const stack: Container[] = [];
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const top = stack.at(-1);
    if (top?.kind === '{' && top.expectsKey && token.startsWith('"')) {
      top.step = JSON.parse(token) as string;
      if (samePath(stack, path)) return lineAt(json, index);
    } else if (top?.kind === '[' && token !== ',' && token !== ']' && samePath(stack, path)) {
      return lineAt(json, index);
    }
    step(stack, token);
  }
  return path.length === 0 ? 1 : undefined;
}

function step(stack: Container[], token: string): void {
  const top = stack.at(-1);
  if (token === '{') stack.push({ kind: '{', step: '', expectsKey: true });
  else if (token === '[') stack.push({ kind: '[', step: 0, expectsKey: false });
  else if (token === '}' || token === ']') stack.pop();
  else if (top && token === ':') top.expectsKey = false;
  else if (top && token === ',') {
    top.expectsKey = top.kind === '{';
    if (typeof top.step === 'number') top.step += 1;
  }
}

function samePath(stack: readonly Container[], path: readonly PropertyKey[]): boolean {
  return stack.length === path.length && stack.every((container, depth) => container.step === path[depth]);
}

function lineAt(json: string, index: number): number {
  return json.slice(0, index).split('\n').length;
}
