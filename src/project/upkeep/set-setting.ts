import { SETTINGS, type Setting, type SettingValue } from '../../config/runtime/table.ts';
import { setOwnSetting } from '../../config/write-config.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { trustOwnWork } from '../trust/trust.ts';
import { config } from './settings.ts';

/** Writes one setting of the project's own file; null takes it out. Everything else of the file stays as it is. */
export async function setSetting(
  opened: OpenProject,
  key: string,
  value: JsonValue,
): Promise<{ readonly file: string; readonly key: string }> {
  refuseDecidingInside();
  const known = (await config(opened)).settings.find((setting) => setting.key === key);
  if (!known) throw new NotFoundError(`There is no setting "${key}".`);
  if (known.source === 'environment' || known.source === 'flag')
    throw new UsageError(`"${key}" is set by ${known.variable}, which wins over the file.`, {
      next: `Take ${known.variable} out of the environment first.`,
    });
  refuseWrong(key, value);
  const file = await trustOwnWork(opened, () => setOwnSetting(opened.project.dir, key, value));
  return { file, key };
}

/** Where a wrong value is read, it is told and passed over; here nobody would notice. */
function refuseWrong(key: string, value: JsonValue): void {
  const [section = '', name = ''] = key.split('.');
  const sections: { readonly [name: string]: { readonly [name: string]: Setting<SettingValue> } } = SETTINGS;
  const read = sections[section]?.[name]?.kind.value.safeParse(value);
  if (value === null || !read || read.success) return;
  throw new UsageError(
    `${JSON.stringify(value)} is no value of "${key}": ${read.error.issues[0]?.message ?? ''}.`,
  );
}
