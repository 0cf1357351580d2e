/** Why something waits until a time: a spent quota, a service that is down, a place of delivery that is, the budget of a day. */
export const WAIT_CAUSES = ['quota', 'outage', 'delivery', 'budget'] as const;
export type WaitCause = (typeof WAIT_CAUSES)[number];

/** What is waited for. */
export const WAITED_FOR: { readonly [cause in WaitCause]: string } = {
  quota: 'quota',
  outage: 'the service',
  delivery: 'the place of delivery',
  budget: 'the budget of another day',
};
