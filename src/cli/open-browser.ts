import { spawn } from 'node:child_process';
import { processEnvironment } from '../project/terminal.ts';

/** Opens an address on the screen of this machine; nothing where there is none, as at the other end of ssh. */
export function openInBrowser(address: () => string): void {
  const env = processEnvironment();
  const isMac = process.platform === 'darwin';
  const hasScreen = isMac || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  if (!hasScreen || env['SSH_CONNECTION'] !== undefined) return;
  const child = spawn(isMac ? 'open' : 'xdg-open', [address()], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
