import { fetched } from '../../../lib/fetched.ts';

/** What only an act needs. */
export const labActs = () => fetched(() => import('./lab-acts.ts'));
