/** Pictures of the views as files. */
import { saveBlob, saveFile } from '../../../ui/display/save-file.ts';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import type { Scatter } from '../canvas/scatter.ts';
import { heatPng, heatSvg } from '../heat/heat-pictures.ts';
import type { HeatScene } from '../heat/heat-scene.ts';
import type { Heat } from '../heat/heat.ts';
import { svgOfDrawing } from '../svg/drawing-svg.ts';
import { svgOfMap } from '../svg/map-svg.ts';

const svgType = 'image/svg+xml';

export async function saveMapPng(scatter: Scatter): Promise<void> {
  saveBlob(await scatter.toPng(), 'map.png');
}

export function saveMapSvg(scatter: Scatter, scene: ScatterScene): void {
  saveFile([svgOfMap(scene, scatter.hex)], 'map.svg', svgType);
}

/** As it is seen where it is a picture already. */
export async function saveMatrixPng(heat: Heat | undefined, scene: HeatScene): Promise<void> {
  saveBlob(await (heat?.toPng() ?? heatPng(scene)), 'similarity.png');
}

export async function saveMatrixSvg(scene: HeatScene): Promise<void> {
  saveFile([await heatSvg(scene)], 'similarity.svg', svgType);
}

/** The first drawing in the element. */
export function saveCurveSvg(within: Element, k: number): void {
  const drawing = within.querySelector('svg');
  if (!drawing) return;
  const styles = getComputedStyle(within);
  const around = {
    paper: styles.getPropertyValue('--paper'),
    ink: styles.getPropertyValue('--ink-2'),
    legend: `● same top ${k}, with its 95% interval · □ same nearest`,
  };
  saveFile([svgOfDrawing(drawing, around)], 'dimensions.svg', svgType);
}
