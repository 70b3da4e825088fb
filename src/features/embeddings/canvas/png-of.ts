/** A canvas as a PNG. Rejects where the browser gives none. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The browser gave no picture of this view.'));
    }, 'image/png');
  });
}
