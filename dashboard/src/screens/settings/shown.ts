type Value = string | number | boolean | readonly string[];

export function shown(value: Value): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
