import { cssColors } from '../canvas/css-colors.ts';
import { svgOfMatrix } from '../svg/heat-svg.ts';
import type { HeatScene } from './heat-scene.ts';
import { Heat } from './heat.ts';

const sidePx = 900;

/** A matrix that is not on a canvas, as a PNG in the colours of the page. */
export async function heatPng(scene: HeatScene): Promise<Blob> {
  return await beside(async (host) => {
    const heat = new Heat(host, { onHover: () => {}, onPick: () => {} });
    try {
      heat.setScene(scene);
      return await heat.toPng();
    } finally {
      heat.destroy();
    }
  });
}

/** A matrix of single cells as SVG, in the colours of the page. */
export async function heatSvg(scene: HeatScene): Promise<string> {
  return await beside(async (host) => svgOfMatrix(scene, cssColors(host).hex));
}

/** Gives an element that has the lab's colours and is not seen. */
async function beside<T>(act: (host: HTMLElement) => Promise<T>): Promise<T> {
  const host = document.createElement('div');
  host.className = 'lab-view lab-offscreen';
  host.style.width = `${sidePx}px`;
  host.style.height = `${sidePx}px`;
  document.body.append(host);
  try {
    return await act(host);
  } finally {
    host.remove();
  }
}
