// Reads the QR code of a printed card with the camera, if the browser can.

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const QR = "qr_code";
const EVERY = 150; // milliseconds between two looks
const CARD = /^deadwood card (\d{1,4})$/;
const detectorClass = () => (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** The card's number in the text of a code; null if it is another code. */
export const cardOf = (text: string): number | null => {
  const found = CARD.exec(text);
  return found ? Number(found[1]) : null;
};

/** Whether this browser has a camera and can read QR codes. */
export async function canScan(): Promise<boolean> {
  if (!("mediaDevices" in navigator)) return false;
  const formats = await detectorClass()
    ?.getSupportedFormats()
    .catch((): string[] => []);
  return formats?.includes(QR) ?? false;
}

/** Why there is no picture: `refused` or `no camera`. */
export type Trouble = "camera refused" | "no camera";

export class Scanner {
  private stream: MediaStream | null = null;
  private timer = 0;
  private stopped = false;

  /** Show the camera in a video, and report the text of every code it sees. */
  async start(video: HTMLVideoElement, seen: (text: string) => void): Promise<Trouble | null> {
    const Detecting = detectorClass();
    if (!Detecting) return "no camera";
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch (error) {
      return (error as Error).name === "NotAllowedError" ? "camera refused" : "no camera";
    }
    if (this.stopped) {
      this.stop();
      return null;
    }
    video.srcObject = this.stream;
    await video.play().catch(() => undefined);
    this.look(new Detecting({ formats: [QR] }), video, seen);
    return null;
  }

  private look(detector: Detector, video: HTMLVideoElement, seen: (text: string) => void): void {
    this.timer = window.setTimeout(() => {
      void detector.detect(video).then(
        (codes) => {
          if (this.stopped) return;
          for (const { rawValue } of codes) seen(rawValue);
          this.look(detector, video, seen);
        },
        () => this.stopped || this.look(detector, video, seen), // the camera has no picture yet
      );
    }, EVERY);
  }

  /** Switch the camera off. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
  }
}
