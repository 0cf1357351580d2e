export function agentIndex(root: string): { readonly [file: string]: string };
export function writeAgentIndex(root: string): void;
