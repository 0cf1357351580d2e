/** What turns while something is at work. */
export const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
export const FRAME_MS = 80;
export const BELL = '\u0007';
