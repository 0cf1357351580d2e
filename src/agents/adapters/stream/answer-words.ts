/** What people say for the choices that every CLI offers, whatever it calls them. */
export const YES_WORDS = ['y', 'yes', 'ok', 'allow'];
export const ALWAYS_WORDS = ['a', 'always'];
export const NO_WORDS = ['n', 'no', 'deny', 'reject'];
