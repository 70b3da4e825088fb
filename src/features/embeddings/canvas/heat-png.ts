import type { HeatScene } from './heat-scene.ts';
import { Heat } from './heat.ts';

const sidePx = 900;

/** A matrix that is not on a canvas, as a PNG in the colours of the page. */
export async function heatPng(scene: HeatScene): Promise<Blob> {
  const host = document.createElement('div');
  host.className = 'lab-view lab-offscreen';
  host.style.width = `${sidePx}px`;
  host.style.height = `${sidePx}px`;
  document.body.append(host);
  const heat = new Heat(host, { onHover: () => {}, onPick: () => {} });
  try {
    heat.setScene(scene);
    return await heat.toPng();
  } finally {
    heat.destroy();
    host.remove();
  }
}
