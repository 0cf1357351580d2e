export function chosenFrom(): readonly string[];
export function vitestArgs(args: readonly string[], root: string): readonly string[];
