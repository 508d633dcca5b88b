/** Measures the level of a stream's audio. */
export class Level {
  #context: AudioContext;
  #analyser: AnalyserNode;
  #samples: Float32Array<ArrayBuffer>;

  constructor(stream: MediaStream) {
    this.#context = new AudioContext();
    this.#analyser = this.#context.createAnalyser();
    this.#analyser.fftSize = 1024;
    this.#samples = new Float32Array(this.#analyser.fftSize);
    this.#context.createMediaStreamSource(new MediaStream(stream.getAudioTracks())).connect(this.#analyser);
    void this.#context.resume();
  }

  /** Returns the level from 0 to 1, on a decibel scale. A quiet voice is about 0.2. */
  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 0;
    for (const sample of this.#samples) sum += sample * sample;
    const decibels = 20 * Math.log10(Math.sqrt(sum / this.#samples.length) + 1e-6);
    return Math.min(Math.max((decibels + 60) / 55, 0), 1);
  }

  /** Resumes measuring. Browsers suspend audio until the participant has interacted with the page. */
  wake(): void {
    if (this.#context.state === 'suspended') void this.#context.resume();
  }

  close(): void {
    void this.#context.close();
  }
}
