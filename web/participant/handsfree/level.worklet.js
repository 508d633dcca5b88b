// Runs beside the page's own code, as browsers demand of audio processors: posts the level of each 20 ms of sound, in decibels below full scale.
const keep = 1 / (1 + 2 * Math.PI * 100 / sampleRate); // a filter that takes away what is below 100 Hz: rumble and hum

class Level extends AudioWorkletProcessor {
  #sum = 0;
  #count = 0;
  #before = 0;
  #filtered = 0;

  process([input]) {
    for (const sample of input[0] ?? []) {
      this.#filtered = keep * (this.#filtered + sample - this.#before);
      this.#before = sample;
      this.#sum += this.#filtered ** 2;
      if (++this.#count < sampleRate / 50) continue;
      this.port.postMessage(10 * Math.log10(this.#sum / this.#count + 1e-10));
      this.#sum = this.#count = 0;
    }
    return true;
  }
}

registerProcessor('level', Level);
