export function bundleVictims(): Promise<void>;
