package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"verbatim/internal/api/participant"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
)

type orgCommands struct {
	Create orgCreate `cmd:"" help:"Create an organization."`
	List   orgList   `cmd:"" help:"List the organizations."`
	Update orgUpdate `cmd:"" help:"Change an organization's name, and the logo and colour that participants see."`
}

type orgCreate struct {
	Name string `arg:"" help:"Its name."`
}

// Run creates the organization.
func (cmd *orgCreate) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		o, err := (&access.Service{Store: s}).CreateOrg(ctx, cmd.Name)
		if err != nil {
			return err
		}
		return c.print(orgRow(o))
	})
}

type orgList struct{}

// Run lists the organizations.
func (orgList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		all, err := (&access.Service{Store: s}).Orgs(ctx)
		if err != nil {
			return err
		}
		var rows []row
		for _, o := range all {
			rows = append(rows, orgRow(o))
		}
		return c.printAll(rows, "There is no organization yet: verbatim org create NAME")
	})
}

type orgUpdate struct {
	Org      string `arg:"" help:"The organization's id."`
	Name     string `help:"Its name, as participants read it." placeholder:"NAME"`
	Logo     string `help:"A PNG, JPEG or WebP image of at most 512 KiB and 2000 pixels on each side." type:"existingfile" placeholder:"FILE" xor:"logo"`
	NoLogo   bool   `help:"Remove the logo and show the name instead." xor:"logo"`
	Colour   string `help:"The colour of buttons, progress and links, such as '#1f5f5b'. It is made darker or lighter where it would not be readable." placeholder:"COLOUR" xor:"colour"`
	NoColour bool   `help:"Use the default colour." xor:"colour"`
}

// Run changes the organization, and prints where its colour is shown darker or lighter.
func (cmd *orgUpdate) Run(ctx context.Context, c *Common) error {
	var colour org.Colour
	var err error
	if cmd.Colour != "" {
		if colour, err = org.ParseColour(cmd.Colour); err != nil {
			return usageError("--colour: " + err.Error())
		}
	}
	if cmd.Name == "" && cmd.Logo == "" && !cmd.NoLogo && colour == 0 && !cmd.NoColour {
		return usageError("nothing to change: give --name, --logo, --no-logo, --colour or --no-colour")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		before, err := s.View().Org(ctx, cmd.Org)
		if err != nil {
			return err
		}
		after := before.Logo
		switch {
		case cmd.NoLogo:
			after = org.Logo{}
		case cmd.Logo != "":
			if after, err = c.putLogo(ctx, cmd.Logo); err != nil {
				return err
			}
		}
		o, err := (&access.Service{Store: s}).UpdateOrg(ctx, cmd.Org, func(o *org.Organization) {
			o.Name, o.Logo = cmp.Or(cmd.Name, o.Name), after
			if colour != 0 || cmd.NoColour {
				o.Colour = colour
			}
		})
		if err == nil && before.Logo.File != after.File {
			err = c.dropLogo(ctx, s, before.Logo)
		}
		if err != nil {
			return err
		}
		for _, remark := range shadeRemarks(colour) {
			c.stderr.printf("%s\n", remark)
		}
		return c.print(orgRow(o))
	})
}

// putLogo checks an image file and stores it beside the recordings.
func (c *Common) putLogo(ctx context.Context, path string) (org.Logo, error) {
	file, err := os.Open(path)
	if err != nil {
		return org.Logo{}, err
	}
	content, err := io.ReadAll(io.LimitReader(file, org.MaxLogoBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return org.Logo{}, err
	}
	logo, err := org.ReadLogo(content)
	if err != nil {
		return org.Logo{}, fmt.Errorf("%s: %w", path, err)
	}
	objects, err := c.openObjects(c.blobsAddress(), blob.Links{})
	if err != nil {
		return org.Logo{}, err
	}
	return logo, objects.Put(ctx, logo.Object(), bytes.NewReader(content), int64(len(content)), org.LogoType(logo.File))
}

// dropLogo removes a logo that no organization uses any more.
func (c *Common) dropLogo(ctx context.Context, s *store.Store, logo org.Logo) error {
	if logo.File == "" {
		return nil
	}
	used, err := s.View().LogoUsed(ctx, logo.File)
	if err != nil || used {
		return err
	}
	objects, err := c.openObjects(c.blobsAddress(), blob.Links{})
	if err != nil {
		return err
	}
	return objects.Delete(ctx, logo.Object())
}

// shadeRemarks returns a sentence for each place where a colour is shown darker or lighter to be readable.
func shadeRemarks(colour org.Colour) (remarks []string) {
	if colour == 0 {
		return nil
	}
	for _, ground := range []struct {
		org.Ground
		name, change string
	}{{org.Light, "light", "darker"}, {org.Dark, "dark", "lighter"}} {
		shades := colour.On(ground.Ground)
		for _, shade := range []struct {
			what string
			org.Colour
		}{{"buttons", shades.Fill}, {"links", shades.Accent}} {
			if shade.Colour != colour {
				remarks = append(remarks, fmt.Sprintf("On %s pages %s are %s, %s than %s, so that they can be read.", ground.name, shade.what, shade.Colour, ground.change, colour))
			}
		}
	}
	return remarks
}

func orgRow(o org.Organization) row {
	logo := o.Logo.File
	if logo != "" {
		logo = participant.BrandPath + logo
	}
	return row{{"id", o.ID}, {"name", o.Name}, {"createdAt", o.CreatedAt}, {"colour", o.Colour.String()}, {"logo", logo}}
}
