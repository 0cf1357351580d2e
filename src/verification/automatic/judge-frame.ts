import * as z from 'zod';
import type { Picture } from './png.ts';

const ratio = z.number().min(0).max(1);
const channel = z.int().min(0).max(255);

/** When a picture counts as one that shows nothing. */
export const frameThresholds = {
  /** What an empty frame is filled with. */
  clearColor: z.tuple([channel, channel, channel]).default([0, 0, 0]),
  clearTolerance: z.number().min(0).default(8),
  maxClearRatio: ratio.default(0.995),
  nearBlackLumaThreshold: z.number().min(0).default(16),
  maxNearBlackRatio: ratio.default(0.995),
  minLuminanceStdDev: z.number().min(0).default(1),
};

const shape = z.object(frameThresholds);
export type FrameThresholds = z.output<typeof shape>;

/** Why a picture shows nothing, or undefined. */
export function emptinessOf(picture: Picture, limits: FrameThresholds): string | undefined {
  const { clear, black, deviation } = measure(picture, limits);
  if (clear > limits.maxClearRatio) return `${percent(clear)} of it is the colour of an empty frame`;
  if (black > limits.maxNearBlackRatio) return `${percent(black)} of it is nearly black`;
  if (deviation < limits.minLuminanceStdDev) return 'it has the same brightness everywhere';
  return undefined;
}

function measure({ width, height, channels, pixels }: Picture, limits: FrameThresholds) {
  const count = width * height;
  const { clearColor, clearTolerance } = limits;
  let [clear, black, sum, squares] = [0, 0, 0, 0];
  for (let at = 0; at < count * channels; at += channels) {
    const red = pixels[at] ?? 0;
    const [green, blue] = channels < 3 ? [red, red] : [pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const off = Math.max(
      Math.abs(red - clearColor[0]),
      Math.abs(green - clearColor[1]),
      Math.abs(blue - clearColor[2]),
    );
    if (off <= clearTolerance) clear++;
    if (luma <= limits.nearBlackLumaThreshold) black++;
    sum += luma;
    squares += luma * luma;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return { clear: clear / count, black: black / count, deviation };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
