import type { ComponentType } from 'react';

import { PartBoundary } from '../../../ui/display/boundary.tsx';
import { lazyView } from '../../../ui/hooks/lazy-view.tsx';

/**
 * A part of the lab whose code comes with the first act that needs it. If it cannot be loaded, one sentence and a
 * button to try again take its place, and all around it goes on. `name`: as in "The list of nearest texts".
 */
export function lateView<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const View = lazyView(name, load);
  return function LateView(props: Props) {
    return (
      <PartBoundary name={name}>
        <View {...props} />
      </PartBoundary>
    );
  };
}
