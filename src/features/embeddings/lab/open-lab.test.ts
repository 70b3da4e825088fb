import { afterEach, expect, it, vi } from 'vitest';

import { aBench } from '../../../testing/bench.ts';

afterEach(() => void vi.unstubAllGlobals());

it('a lab that could not be opened is opened again the next time, and is then the same one each time', async () => {
  // Where the address of its worker is trusted.
  vi.stubGlobal('window', {});
  const { openLab } = await import('./open-lab.ts');
  const bench = await aBench();
  let failures = 0;
  const { onHide } = bench.page;
  const page = {
    ...bench.page,
    onHide: (listen: () => void) => {
      failures += 1;
      if (failures < 3) throw new Error(`Failure ${failures}`);
      onHide(listen);
    },
  };
  const playground = { ...bench, page };
  await expect(openLab(playground)).rejects.toThrow('Failure 1');
  await expect(openLab(playground)).rejects.toThrow('Failure 2');
  const lab = await openLab(playground);
  expect(await openLab(playground)).toBe(lab);
  expect(await openLab({ ...playground })).not.toBe(lab);
});
