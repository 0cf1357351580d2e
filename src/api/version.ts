/** The version of everything that `--json` prints: it grows when a field goes or changes its meaning. */
export const API_VERSION = 1;
