package main

import (
	"net/url"

	"verbatim/internal/service/fieldwork"
)

// processorFlags name the services that participants are told of. Their hosts are those of the addresses by which they are reached.
type processorFlags struct {
	LLMName     string `name:"llm-shown-as" help:"Name of the language model's provider for participants, in the consent of studies. Its host is shown in any case." env:"VERBATIM_LLM_SHOWN_AS" placeholder:"NAME"`
	SpeechName  string `name:"speech-shown-as" help:"Name of the speech-to-text provider for participants." env:"VERBATIM_SPEECH_SHOWN_AS" placeholder:"NAME"`
	StorageName string `name:"storage-shown-as" help:"Name of the provider of the object storage (--blobs) for participants." env:"VERBATIM_STORAGE_SHOWN_AS" placeholder:"NAME"`
}

// processors returns the services outside of this one that process what participants say.
func (f serviceFlags) processors(blobs string) fieldwork.Processors {
	var p fieldwork.Processors
	if f.URL != "" {
		p.Model = fieldwork.Processor{Host: hostOf(f.URL), Name: f.LLMName}
	}
	if f.SpeechURL != "" {
		p.Speech = fieldwork.Processor{Host: hostOf(f.SpeechURL), Name: f.SpeechName}
	}
	if u, err := url.Parse(blobs); err == nil && u.Scheme == "s3" {
		p.Storage = fieldwork.Processor{Host: hostOf(u.Query().Get("endpoint")), Name: f.StorageName}
	}
	return p
}

// hostOf returns the host of an address; empty if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
