import { UsageError } from '../kernel/errors.ts';

export type ParsedAction =
  | { readonly verb: 'JUMP'; readonly target: string }
  | { readonly verb: 'CALL'; readonly target: string; readonly returnTo?: string }
  | { readonly verb: 'RETURN'; readonly signal?: string }
  | { readonly verb: 'HALT_AND_FLAG' };

export const ACTION_FORMS = [
  'JUMP:<Block>',
  'CALL:<Node>',
  'CALL:<Node>:<ReturnBlock>',
  'RETURN',
  'RETURN:SIGNAL:<SIGNAL>',
  'HALT_AND_FLAG',
];

/** Reads one action string. Verbs are case-sensitive; blanks around a target do not matter. */
export function parseAction(text: string): ParsedAction {
  const [verb = '', ...targets] = text.trim().split(':');
  const names = targets.map((target) => target.trim());
  const [target, returnTo] = names;
  const complete = names.every((name) => name !== '');
  if (verb === 'JUMP' && target && names.length === 1) return { verb, target };
  if (verb === 'CALL' && target && complete && names.length <= 2) {
    return returnTo === undefined ? { verb, target } : { verb, target, returnTo };
  }
  if (verb === 'RETURN' && target === 'SIGNAL' && complete && names.length === 2) {
    return { verb, signal: names.join(':') };
  }
  if ((verb === 'RETURN' || verb === 'HALT_AND_FLAG') && names.length === 0) return { verb };
  throw new UsageError(`"${text}" is not an action.`, { next: `Write one of ${ACTION_FORMS.join(', ')}.` });
}
