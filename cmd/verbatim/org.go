package main

import (
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
	change := func(o *org.Organization) {
		o.Name = cmp.Or(cmd.Name, o.Name)
		if colour != 0 || cmd.NoColour {
			o.Colour = colour
		}
	}
	return c.withStore(ctx, func(s *store.Store) error {
		var o org.Organization
		var err error
		if orgs := (&access.Service{Store: s}); cmd.Logo != "" || cmd.NoLogo {
			o, err = cmd.setLogo(ctx, c, orgs, change)
		} else {
			o, err = orgs.UpdateOrg(ctx, cmd.Org, change)
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

// setLogo reads the image file, if there is one, and changes the organization with its logo.
func (cmd *orgUpdate) setLogo(ctx context.Context, c *Common, orgs *access.Service, change func(*org.Organization)) (org.Organization, error) {
	var logo access.NewLogo
	var err error
	if cmd.Logo != "" {
		if logo.Content, err = readAtMost(cmd.Logo, org.MaxLogoBytes+1); err != nil {
			return org.Organization{}, err
		}
		if logo.Logo, err = org.ReadLogo(logo.Content); err != nil {
			return org.Organization{}, fmt.Errorf("%s: %w", cmd.Logo, err)
		}
	}
	objects, err := c.openObjects(c.blobsAddress(), blob.Links{})
	if err != nil {
		return org.Organization{}, err
	}
	return orgs.SetLogo(ctx, objects, cmd.Org, logo, change)
}

// readAtMost reads the beginning of a file.
func readAtMost(path string, size int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, size))
	return content, errors.Join(err, file.Close())
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
