import type { ReactNode } from 'react';

/** A short machine word or value in mono. `differs`: in the colour of the lane it stands in. */
export function Chip({ differs = false, children }: { differs?: boolean; children: ReactNode }) {
  return <span className={differs ? 'chip diff' : 'chip'}>{children}</span>;
}
